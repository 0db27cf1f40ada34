import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const block = (selector: string) => css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? ''
const colours = (text: string) =>
  Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]))
const light = colours(block(':root'))
const dark = { ...light, ...colours(block(':root[data-theme="dark"]')) }

/** Relative luminance (WCAG 2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

for (const [theme, values] of Object.entries({ light, dark }))
  test(`text has a contrast of at least 4.5:1 on every ground (${theme})`, () => {
    for (const ink of ['ink', 'ink-2', 'ink-3', 'accent-text'])
      for (const ground of ['canvas', 'surface', 'sunken', 'accent-soft']) {
        const [dim = 0, bright = 0] = [values[ink], values[ground]]
          .map(each => luminance(each ?? ''))
          .toSorted((a, b) => a - b)
        const contrast = (bright + 0.05) / (dim + 0.05)
        assert.ok(contrast >= 4.5, `${ink} on ${ground}: ${contrast.toFixed(2)}`)
      }
  })
