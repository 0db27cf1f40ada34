import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const whole = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
const folder = new URL('../.cache/', import.meta.url)

/** ASCII and the signs of our texts. Other characters, as in names, are drawn in the system's font. */
const characters = `${String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))}–—‘’“”…·×→←↑↓−€£¥\u00a0`

/**
 * Weights from regular to semibold; of the features figures of one width only, since kerning is a fifth of the file.
 */
const options = {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 600 } },
  keepFeatures: ['tnum'],
} as const

/** Writes the part of the font that pages use: a third of the file. */
export function font(): Plugin {
  return {
    name: 'coffer-font',
    async config() {
      const part = await subsetFont(await readFile(fileURLToPath(whole)), characters, options)
      await mkdir(folder, { recursive: true })
      await writeFile(new URL('inter.woff2', folder), part)
    },
  }
}
