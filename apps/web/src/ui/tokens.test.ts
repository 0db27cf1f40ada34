import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const block = (selector: string) => css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? ''
const colours = (text: string) =>
  Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]))
const parts = (selector: string) =>
  colours(css.slice(css.indexOf('/* Parts of a whole')).split(`${selector} {`)[1]?.split('}')[0] ?? '')
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

/**
 * How people see linear red, green and blue: with all cones, and without one kind (Machado, Oliveira and Fernandes,
 * 2009).
 */
const eyes = {
  all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  'no red': [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  'no green': [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  'no blue': [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}

/** The colour in CIELAB, as seen by such eyes. */
function lab(colour: string, eye: readonly number[]): number[] {
  const linear = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const mix = (...weights: number[]) => weights.reduce((sum, weight, at) => sum + weight * (linear[at] ?? 0), 0)
  const seen = [0, 3, 6].map(at => Math.min(1, Math.max(0, mix(...eye.slice(at, at + 3)))))
  const of = (...weights: number[]) => weights.reduce((sum, weight, at) => sum + weight * (seen[at] ?? 0), 0)
  const root = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)
  const [x, y, z] = [
    root(of(0.4124, 0.3576, 0.1805) / 0.95047),
    root(of(0.2126, 0.7152, 0.0722)),
    root(of(0.0193, 0.1192, 0.9505) / 1.08883),
  ] as const
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const lightParts = parts(':root')
for (const [theme, values] of Object.entries({
  light: lightParts,
  dark: { ...lightParts, ...parts(':root[data-theme="dark"]') },
}))
  for (const [name, eye] of Object.entries(eyes))
    test(`parts of a whole can be told apart (${theme}, cones: ${name})`, () => {
      const colours = Object.entries<string>(values)
      assert.equal(colours.length, 11)
      for (const [index, [one, first]] of colours.entries())
        for (const [other, second] of colours.slice(index + 1)) {
          const a = lab(first, eye)
          const b = lab(second, eye)
          const distance = Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)))
          assert.ok(distance >= 12, `${one} and ${other}: ${distance.toFixed(1)}`)
        }
    })
