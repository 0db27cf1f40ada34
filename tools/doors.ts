import { applicationKeyRateLimit } from '../apps/server/src/domains/applications/authenticate-key.ts'
import {
  consoleRoutePolicies,
  publicRoutePolicies,
  type RoutePolicies,
  type RoutePolicy,
} from '../apps/server/src/http/doors.ts'
import { anonymousConcurrencyLimits, ipRateLimit } from '../apps/server/src/http/wall.ts'

const who: Record<RoutePolicy['who'], string> = {
  anybody: 'anybody',
  holder: 'who knows the number or token in the path',
  merchant: 'session of a merchant',
  pending: 'sign-in that awaits its second factor',
  key: 'secret key of an application',
  signature: "shop's signature, or its key among the fields",
  shop: "shop's key in a header",
  operator: 'session of an operator',
  metrics: 'token of COFFER_METRICS_TOKEN',
  machine: 'this machine, in the sandbox',
}

const count = (number: number) => number.toLocaleString('en-US')

/** Bytes in the largest unit that divides them. */
const size = (bytes: number) => (bytes % 1024 ** 2 === 0 ? `${bytes / 1024 ** 2} MiB` : `${bytes / 1024} KiB`)

const takesBody = (methods: string[]) => methods.some(method => !['GET', 'HEAD'].includes(method))

/** Lines of a table in Markdown, padded. */
function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(cells => cells[column]!.length)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)]
}

/** A line for each path; methods whose rows are the same share it. */
function rowsOf(doors: RoutePolicies): string[][] {
  const alike = Map.groupBy(Object.entries(doors), ([key, door]) =>
    JSON.stringify([key.slice(key.indexOf(' ') + 1), door]),
  )
  return [...alike.values()].map(group => {
    const [key, door] = group[0]!
    const methods = group.map(([each]) => each.split(' ')[0]!)
    return [
      `\`${key.slice(key.indexOf(' ') + 1)}\``,
      methods.map(method => (method === 'ANY' ? 'any' : method)).join(', '),
      who[door.who],
      takesBody(methods) ? size(door.body) : '',
      door.share === 'none' ? '' : door.share,
      door.refusal,
      [door.framed === 'never' ? '' : door.framed, door.cached === 'never' ? '' : `kept: ${door.cached}`]
        .filter(Boolean)
        .join('; '),
    ]
  })
}

const head = ['path', 'methods', 'who', 'body', 'places', 'refusal', 'framed, kept']

const places = Object.entries(anonymousConcurrencyLimits).map(([name, { max, all }]) => [name, `${max}`, `${all}`])
const legend = [
  '- **who**: who is let in; everybody else is refused before the body is read, or, where the body holds the signature, before anything else.',
  '- **body**: most bytes of it.',
  '- **places**: whose places a request takes while it is handled. `caller`: those of its session, key or account, within 2 of the network until the',
  '  caller is known. Without any: it asks the database for nothing, or has a limit of its own.',
  '- **refusal**: the form in which a request is refused.',
  '- **framed**: by pages of which origins; otherwise by none. **kept**: how long an answer may be kept by others (`revalidated`: not without asking',
  '  again); otherwise not at all.',
  '',
  ...table(['places', 'at once of a network', 'of all networks'], places),
  '',
  `Beside them an address may send ${count(ipRateLimit.max)} requests in ${ipRateLimit.seconds} seconds, and a key or a connected shop ${applicationKeyRateLimit.burst} at once and ${applicationKeyRateLimit.perSecond} a second.`,
]
const drawn =
  'Drawn by `tools/generated.ts` from `apps/server/src/http/doors.ts`, which the server carries out: a route that is missing there ends its start.'

/** Draws the tables of all routes, with who may call them and their limits. */
export async function generateDoors(): Promise<{ path: string; content: string }[]> {
  const merchants = [
    '# Routes of merchants and payers',
    '',
    drawn,
    'Those of the console are in [console-routes.md](console-routes.md).',
    '',
    ...legend,
    '',
    ...table(head, rowsOf(omitSandbox(publicRoutePolicies))),
    '',
  ]
  const operators = [
    '# Routes of the console and of the sandbox',
    '',
    drawn,
    '[routes.md](routes.md) explains the columns.',
    '',
    "## The port of the operator's console",
    '',
    ...table(head, rowsOf(omitSandbox(consoleRoutePolicies))),
    '',
    '## Only in the sandbox',
    '',
    ...table(head, rowsOf({ ...onlySandbox(publicRoutePolicies), ...onlySandbox(consoleRoutePolicies) })),
    '',
  ]
  return [
    { path: 'docs/routes.md', content: merchants.join('\n') },
    { path: 'docs/console-routes.md', content: operators.join('\n') },
  ]
}

const filtered = (doors: RoutePolicies, isWanted: (door: RoutePolicy) => boolean): RoutePolicies =>
  Object.fromEntries(Object.entries(doors).filter(([, door]) => isWanted(door)))
const omitSandbox = (doors: RoutePolicies) => filtered(doors, door => !door.sandbox)
const onlySandbox = (doors: RoutePolicies) => filtered(doors, door => door.sandbox === true)
