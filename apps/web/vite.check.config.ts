import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { brotli } from './build/brotli.ts'

const root = import.meta.dirname

const style = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{max-width:44rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
label{display:block;margin:.9rem 0}input{display:block;width:100%;margin-top:.25rem;padding:.5rem;box-sizing:border-box;font:inherit}
button{font:inherit;padding:.6rem 1.2rem;margin:.5rem 0 1rem}.good{color:light-dark(#0a6b35,#5fd394);font-weight:600}
.bad{color:light-dark(#b3261e,#ff8a80);font-weight:600}`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Puts script and style into one page, whose policy allows these alone, and no connection. */
const onePage: Plugin = {
  name: 'coffer-one-page',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(each => each.type === 'chunk')
    if (chunks.length !== 1) this.error('the page that works offline has more than one file')
    const code = chunks[0]!.code.trim().replaceAll('</script', '<\\/script')
    const policy = `default-src 'none'; script-src ${hashOf(code)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`
    for (const file of Object.keys(bundle)) delete bundle[file]
    const source = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Verify a proof of liabilities</title><style>${style}</style></head>
<body><script>${code}</script></body>
</html>
`
    this.emitFile({ type: 'asset', fileName: 'proof-check.html', source })
  },
}

/** The page that verifies proofs without a network: one file, which is downloaded. */
export default defineConfig({
  root,
  plugins: [onePage, brotli()],
  publicDir: false,
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: false,
    modulePreload: false,
    rolldownOptions: {
      input: join(root, 'src', 'proof', 'check.ts'),
      output: { format: 'iife', codeSplitting: false },
    },
  },
})
