import { mainnets } from '@coffer/chains'

/** Symbols with a picture that no known chain has. */
const otherTokens = ['MATIC', 'BTC', 'DAI']

const folder = 'apps/web/src/ui/logos/generated'

async function logo(from: string, to: string): Promise<{ path: string; content: string }> {
  const module = (await import(`@web3icons/core/svgs/${from}.svg.js`)) as { default: string }
  // Class names and sizes would only add bytes: the picture's frame sets the size.
  const svg = module.default
    .replace(/ (?:class|width|height)="[^"]*"/g, '')
    .replace(/>\s+</g, '><')
    .trim()
  return { path: `${folder}/${to}.svg`, content: `${svg}\n` }
}

/**
 * Copies the logos of the known chains and their tokens out of the icon package, so that the build carries only these and
 * nothing is fetched from elsewhere. Gives files as they should be, paths from the root of the repository.
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
