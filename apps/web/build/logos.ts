import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Copies the logos this product shows out of the icon package into src/ui/logos/generated, so that the build carries
 * only these and nothing is fetched from elsewhere. Run it after changing the lists: `node apps/web/build/logos.ts`
 */
const tokens = ['USDT', 'USDC', 'ETH', 'BNB', 'POL', 'MATIC', 'TRX', 'BTC', 'DAI']
const chains = { ethereum: 'ethereum', bnb: 'binance-smart-chain', polygon: 'polygon', tron: 'tron' }

const folder = join(import.meta.dirname, '../src/ui/logos/generated')

async function copy(from: string, to: string) {
  const module = (await import(`@web3icons/core/svgs/${from}.svg.js`)) as { default: string }
  // Class names and sizes would only add bytes: the picture's frame sets the size.
  const svg = module.default
    .replace(/ (?:class|width|height)="[^"]*"/g, '')
    .replace(/>\s+</g, '><')
    .trim()
  await writeFile(join(folder, `${to}.svg`), `${svg}\n`)
}

await mkdir(folder, { recursive: true })
for (const token of tokens) await copy(`tokens/branded/${token}`, `token-${token.toLowerCase()}`)
for (const [name, file] of Object.entries(chains)) await copy(`networks/branded/${file}`, `chain-${name}`)
