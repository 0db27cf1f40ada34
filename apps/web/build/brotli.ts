import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
const compressible = /\.(?:js|css|html|svg|json)$/

/** Writes `<file>.br` beside every text file of the build, so that the server need not compress. */
export function brotli(): Plugin {
  let outDir = ''
  return {
    name: 'coffer-brotli',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      const files = await readdir(outDir, { recursive: true })
      await Promise.all(
        files
          .filter(file => compressible.test(file))
          .map(async file => {
            const path = join(outDir, file)
            const raw = await readFile(path)
            const small = await compress(raw, {
              params: {
                [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
                [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
                // Larger blocks than chosen by default save a thousandth.
                [constants.BROTLI_PARAM_LGBLOCK]: constants.BROTLI_MAX_INPUT_BLOCK_BITS,
              },
            })
            await writeFile(`${path}.br`, small)
          }),
      )
    },
  }
}
