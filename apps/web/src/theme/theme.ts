import { cell } from '../lib/cell.ts'
import { readStored, writeStored } from '../lib/storage.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const stored = readStored('theme')
/** The chosen theme; `system` follows the operating system. */
export const theme = cell<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')

const systemDark = matchMedia('(prefers-color-scheme: dark)')

function draw() {
  const dark = theme.get() === 'dark' || (theme.get() === 'system' && systemDark.matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
}

/** Applies a theme and remembers it. */
export function chooseTheme(next: Theme): void {
  theme.set(next)
  writeStored('theme', next === 'system' ? null : next)
  draw()
}

systemDark.addEventListener('change', draw)
