import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Copies the logos this product shows out of the icon package into src/ui/logos/generated, so that the build carries
 * only these and nothing is fetched from elsewhere. Run it after changing the lists: `node apps/web/build/logos.ts`
 */
const tokens = ['USDT', 'USDC', 'ETH', 'BNB', 'POL', 'MATIC', 'TRX', 'BTC', 'DAI']
const chains = { ethereum: 'ethereum', bnb: 'binance-smart-chain', polygon: 'polygon', tron: 'tron' }

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

/** Gives the logos as they should be, paths from the root of the repository. */
export function generateLogos(): Promise<{ path: string; content: string }[]> {
  return Promise.all([
    ...tokens.map(token => logo(`tokens/branded/${token}`, `token-${token.toLowerCase()}`)),
    ...Object.entries(chains).map(([name, file]) => logo(`networks/branded/${file}`, `chain-${name}`)),
  ])
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../../..')
  await mkdir(join(root, folder), { recursive: true })
  for (const { path, content } of await generateLogos()) await writeFile(join(root, path), content)
}
