import { mainnets } from '@coffer/chains'

/** Symbols with a logo that belong to no known chain. */
const otherTokens = ['MATIC', 'BTC', 'DAI']

const folder = 'apps/web/src/ui/logos/generated'

async function logo(from: string, to: string): Promise<{ path: string; content: string }> {
  const module = (await import(`@web3icons/core/svgs/${from}.svg.js`)) as { default: string }
  // The image element sets the size, so class names and sizes would only add bytes.
  const svg = module.default
    .replace(/ (?:class|width|height)="[^"]*"/g, '')
    .replace(/>\s+</g, '><')
    .trim()
  return { path: `${folder}/${to}.svg`, content: `${svg}\n` }
}

/**
 * Copies the logos of the known chains and their tokens from the icon package, so that the build contains only these.
 * @returns the generated files, with paths relative to the repository
 */
export function generateLogos(): Promise<{ path: string; content: string }[]> {
  const chains = Object.values(mainnets)
  const assets = chains.flatMap(({ native, tokens }) => [native, ...tokens])
  const symbols = new Set([...assets.map(({ symbol }) => symbol), ...otherTokens])
  const ids = JSON.stringify(Object.fromEntries(chains.map(({ name, id }) => [name, id])), null, 2)
  return Promise.all([
    { path: `${folder}/chains.ts`, content: `export const idsByName: Record<string, string> = ${ids}\n` },
    ...[...symbols].map(symbol => logo(`tokens/branded/${symbol}`, `token-${symbol.toLowerCase()}`)),
    ...chains.flatMap(({ id, icon }) => (icon ? logo(`networks/branded/${icon}`, `chain-${id}`) : [])),
  ])
}
