import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** A browser's executable and the environment it needs. */
export type BrowserProgram = { executablePath: string; env: Record<string, string> }

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const require = createRequire(import.meta.url)
const cache = join(import.meta.dirname, '..', '..', '..', '..', '.cache')

/**
 * Returns the system's Chromium if there is one, else that of the npm package, unpacked once per version. Both use the
 * Chinese fonts of an npm package, so that pages look the same on a system without any.
 */
export async function browserProgram(): Promise<BrowserProgram> {
  const folder = await unpacked()
  const fonts = { FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  const own = systemBrowsers.find(path => existsSync(path))
  if (own) return { executablePath: own, env: fonts }
  const executablePath = join(folder, 'chromium')
  if (!(await lacksLibraries(executablePath))) return { executablePath, env: fonts }
  return { executablePath, env: { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } }
}

async function unpacked(): Promise<string> {
  const entry = require.resolve('@sparticuz/chromium')
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8'))
  const folder = join(cache, `browser-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const partial = mkdtempSync(`${folder}-`)
  // The package unpacks into the temporary folder, and its libraries only if it believes to run in AWS Lambda.
  const script = 'const { default: it } = await import(process.argv[1]); await it.executablePath()'
  const env = { ...process.env, TMPDIR: partial, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, entry], { env })
  const chinese = join(dirname(require.resolve('@embedpdf/fonts-sc')), '..', 'fonts')
  for (const weight of ['Regular', 'Bold']) {
    const file = `NotoSansHans-${weight}.otf`
    copyFileSync(join(chinese, file), join(partial, 'fonts', 'fonts', file))
  }
  writeFileSync(join(partial, 'fonts.conf'), fontSettings(folder))
  try {
    renameSync(partial, folder)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    // Another test file has unpacked it meanwhile.
    if (!existsSync(folder)) throw error
  }
  return folder
}

function fontSettings(folder: string): string {
  const families = ['DejaVu Sans', 'Open Sans', 'Noto Sans S Chinese'].map(each => `<family>${each}</family>`)
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
  <alias><family>sans-serif</family><prefer>${families.join('')}</prefer></alias>
</fontconfig>
`
}

async function lacksLibraries(program: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ldd', [program]).catch(() => ({ stdout: 'not found' }))
  return stdout.includes('not found')
}
