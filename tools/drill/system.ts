import { execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '@coffer/local/testing/until.ts'
import { type Drill, type DrillFigure, type DrillPart, makeFigure } from './part.ts'
import { findProgram } from './proxies.ts'
import { cloneAt, installRelease } from './releases.ts'

const run = promisify(execFile)
/** What a Debian has before Coffer is set up; more is not needed. */
const packages = 'systemd,systemd-sysv,dbus,postgresql,ca-certificates,procps'
const units = ['coffer', 'coffer@second', 'coffer-signer']

/** Sets up a clean Debian that systemd boots in a container of this machine. */
export const systemDrill: DrillPart = {
  what: 'a clean Debian with systemd is set up by one command, upgraded and goes back',
  async run(drill) {
    const missing = ['mmdebstrap', 'systemd-nspawn', 'nsenter'].filter(name => !findProgram(name))
    if (missing.length > 0 || process.getuid?.() !== 0) {
      drill.log(`left out: it needs root and, on Debian, mmdebstrap and systemd-container (missing: ${missing})`)
      return []
    }
    const root = join(drill.folder, 'debian')
    drill.log('installs Debian, and this version in it')
    await run('mmdebstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', root], { maxBuffer: 2 ** 26 })
    const clone = join(drill.folder, 'clone')
    await cloneAt('HEAD', clone)
    await installRelease(clone, join(root, 'srv/coffer-1'))
    await run('cp', ['-al', join(root, 'srv/coffer-1'), join(root, 'srv/coffer-2')])
    const inside = await boot(drill, root)
    return [...(await setUp(drill, root, inside)), ...(await upgrade(drill, inside)), ...(await judgeUnits(inside))]
  },
}

type Inside = (...words: string[]) => Promise<string>

/** Lets systemd boot the folder. Returns a function that runs a command there. */
async function boot({ after }: Drill, root: string): Promise<Inside> {
  const container = spawn('systemd-nspawn', ['--register=no', '--keep-unit', '-D', root, '-b'], { stdio: 'ignore' })
  const ended = new Promise(resolve => container.once('exit', resolve))
  after(async () => {
    // Asks its systemd to end.
    container.kill('SIGTERM')
    await ended
  })
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LC_ALL: 'C' }
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const inside: Inside = async (...words) => {
    // Its systemd, which is not the first child that it ever has.
    const leader = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim().split(' ')[0]!
    const enter = ['-t', leader, '-m', '-u', '-i', '-n', '-p', 'env', '-i', ...variables, ...words]
    return (await run('nsenter', enter, { maxBuffer: 2 ** 26 })).stdout
  }
  await until('it has booted', () => inside('systemctl', 'is-active', 'multi-user.target', 'postgresql@15-main'))
  return inside
}

async function setUp({ log }: Drill, root: string, inside: Inside): Promise<DrillFigure[]> {
  const script = (...words: string[]) =>
    inside('sh', '/srv/coffer-1/ops/install.sh', '--system', '--second', '--release', '/srv/coffer-1', ...words)
  const settings = ['--url', 'https://pay.example.com', '--smtp', 'smtp://127.0.0.1:25']
  const planned = await script('--dry-run', ...settings)
  const written = (await inside('sh', '-c', 'ls -d /etc/coffer /opt/coffer 2>/dev/null || true')).trim()
  const began = performance.now()
  const first = await script(...settings)
  const seconds = (performance.now() - began) / 1_000
  log(
    `${planned.match(/^would: /gm)?.length} steps planned; what is left to a person:${first.split('run this again:')[1]?.trimEnd()}`,
  )
  // What is left to a person.
  writeFileSync(
    join(root, 'chains.json'),
    JSON.stringify({ chains: [{ id: 'eth', nodes: [{ url: 'http://127.0.0.1:1' }] }] }),
  )
  await inside('install', '-o', 'coffer', '-m', '600', '/chains.json', '/var/lib/coffer/chains.json')
  const keys = await inside('coffer', 'signer', 'init')
  const xpub = /^COFFER_XPUB_EVM=.*$/m.exec(keys)?.[0] ?? ''
  await inside('sh', '-c', 'echo "$0" >> /etc/coffer/coffer.env', xpub)
  const started = await script()
  const again = await script()
  const open = await inside('find', '/etc/coffer', '-type', 'f', '!', '-perm', '600')
  const superusers = await inside(
    'su',
    'postgres',
    '-c',
    `psql -Atc "select count(*) from pg_roles where rolname like 'coffer%' and rolsuper"`,
  )
  return [
    makeFigure('folders that a dry run has made', written.split('\n').filter(Boolean).length, 0, ''),
    makeFigure('setting up, without the installation', seconds, 120),
    makeFigure('servers that do not answer', 2 - (started.match(/ answers\./g)?.length ?? 0), 0, ''),
    makeFigure('runs that changed something again', again.includes('Nothing was changed.') ? 0 : 1, 0, ''),
    makeFigure('files of settings that others can read', open.split('\n').filter(Boolean).length, 0, ''),
    makeFigure('roles that are superusers', Number(superusers), 0, ''),
  ]
}

/** Switches to another version and back, by the real `systemctl`. */
async function upgrade({ log }: Drill, inside: Inside): Promise<DrillFigure[]> {
  const figures: DrillFigure[] = []
  for (const version of ['coffer-2', 'coffer-1']) {
    const began = performance.now()
    const said = await inside('sh', '/srv/coffer-2/ops/upgrade.sh', '--unchecked', `/srv/${version}`)
    log(said.trim().replaceAll('\n', ' '))
    const running = said.match(new RegExp(` runs /srv/${version}\\.`, 'g'))?.length ?? 0
    figures.push(makeFigure(`services that do not run ${version}`, units.length - running, 0, ''))
    figures.push(makeFigure(`switching to ${version}`, (performance.now() - began) / 1_000, 180))
  }
  return figures
}

/** What systemd thinks of the units: from 0, which exposes nothing, to 10. */
async function judgeUnits(inside: Inside): Promise<DrillFigure[]> {
  await inside('systemd-analyze', 'verify', '--man=no', ...units.map(unit => `${unit}.service`))
  const figures = units.map(async unit => {
    const said = await inside('systemd-analyze', 'security', '--no-pager', unit)
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1] ?? 10)
    return makeFigure(`exposure of ${unit}`, exposure, 2, '')
  })
  return Promise.all(figures)
}
