/** A line of the help: the words of a command with its arguments, and what it does. */
export interface CommandHelpLine {
  usage: string
  help: string
}

/** Groups of the overview: a title, and the first words of its commands. */
const groups: [string, string[]][] = [
  ['What is wrong', ['status', 'incident', 'chain', 'ledger', 'queue', 'audit']],
  [
    'Merchants',
    ['merchant', 'application', 'payment', 'deposit', 'callback', 'work-order', 'announce', 'announcement'],
  ],
  ['Money out', ['withdrawal', 'withdrawals', 'refund', 'wallet', 'sweep', 'sweeper', 'token', 'signer']],
  ['Operators and scripts', ['operator', 'call', 'completion']],
  ['Installation', ['config', 'migrate', 'mail', 'secret']],
]

/** Examples, shown with the commands they begin with. */
export const commandExamples = [
  'status',
  'payment show 0x5c0b...e1',
  'merchant show M1234567890',
  'merchant fee M1234567890 3.5 1 "agreed on 3 May by contract"',
  'merchant limits M1234567890 withdraw_day_max=20000 "known for two years"',
  'withdrawal list sending',
  'withdrawal approve W7f3 --yes',
  'incident close 9f2c "repaid by the insurance"',
  'chain reread bsc 41000000',
  'wallet resume bsc "the key was replaced"',
  'queue pause callbacks "the receiver is being repaired"',
  'operator add ann@example.com --role finance',
  'operator log M1234567890',
  'call GET "withdrawals?group=ended"',
  'completion bash > /etc/bash_completion.d/coffer',
]

/** Columns of a terminal. */
const columnsMax = 80

const program = 'npm run coffer --'

/** Help text: of the commands that begin with these words, else those of the same group, else the overview. */
export function renderUsage(lines: readonly CommandHelpLine[], words: string[] = []): string {
  const fits = (line: CommandHelpLine) =>
    parseCommandWords(line).every((word, index) => [word, undefined].includes(words[index]))
  const group = lines.filter(line => parseCommandWords(line)[0] === words[0])
  const shown = words.length === 0 ? [] : [lines.filter(fits), group].find(each => each.length > 0)
  return [
    `Usage: ${program} <command> [--json] [--yes]`,
    ...(shown && shown.length > 0 ? shown.flatMap(described) : overview(lines)),
    ...exampleLines(shown ?? []),
  ].join('\n')
}

function overview(lines: readonly CommandHelpLine[]): string[] {
  const width = Math.max(...groups.flatMap(([, names]) => names.map(name => name.length)))
  const about = (first: string): string => {
    const of = lines.filter(line => parseCommandWords(line)[0] === first)
    const verbs = of.map(line => parseCommandWords(line)[1]).filter(verb => verb !== undefined)
    return verbs.length > 0 ? verbs.join(', ') : (of[0]?.help.split(';')[0] ?? '')
  }
  return [
    ...groups.flatMap(([title, names]) => [
      '',
      title,
      ...names.flatMap(name => wrapped(`  ${name.padEnd(width)}  `, about(name))),
    ]),
    '',
    'Options',
    ...wrapped('  --json     ', 'print the answers of the server for scripts'),
    ...wrapped('  --yes      ', 'do not ask before money is moved, or something is undone'),
    ...wrapped('  --version  ', 'print the version'),
    '',
    `"${program} help <word>" shows the arguments of its commands.`,
  ]
}

const described = ({ usage, help }: CommandHelpLine): string[] => [
  '',
  ...wrapped('  ', usage, 6),
  ...wrapped('      ', help),
]

function exampleLines(shown: readonly CommandHelpLine[]): string[] {
  const firsts = new Set(shown.map(line => parseCommandWords(line)[0]))
  const fitting =
    firsts.size === 0 ? commandExamples.slice(0, 3) : commandExamples.filter(each => firsts.has(each.split(' ')[0]!))
  return fitting.length === 0
    ? []
    : ['', 'Examples', ...fitting.flatMap(each => wrapped('  ', `${program} ${each}`, 6))]
}

/** Breaks a text between words, so that no line is wider than a terminal. The first line begins with `lead`. */
function wrapped(lead: string, text: string, indent = lead.length): string[] {
  const rows = [lead]
  for (const [index, word] of text.split(' ').entries()) {
    const row = rows.at(-1)!
    if (index > 0 && row.length + 1 + word.length > columnsMax) rows.push(' '.repeat(indent) + word)
    else rows[rows.length - 1] = row + (index > 0 ? ' ' : '') + word
  }
  return rows
}

/** Says in one line why the words are no command, and which one is meant. */
export function renderUsageError(lines: readonly CommandHelpLine[], words: string[]): string {
  const short = lines.find(line => parseCommandWords(line).every((word, index) => words[index] === word))
  if (short) return `Missing argument: ${short.usage}`
  const group = lines.filter(line => parseCommandWords(line)[0] === words[0] && parseCommandWords(line).length > 1)
  if (words.length === 1 && group.length > 0)
    return `"${words[0]}" needs a subcommand: ${group.map(line => parseCommandWords(line).slice(1).join(' ')).join(', ')}.`
  const typed = words.slice(0, 2).join(' ')
  const near = (group.length > 0 ? group : lines)
    .map(line => parseCommandWords(line).join(' '))
    .map(name => ({ name, away: name.includes(typed) ? 0 : distance(typed, name) }))
    .sort((a, b) => a.away - b.away)[0]!
  const hint = near.away <= 3 ? `Did you mean "${near.name}"?` : `See "${program} help".`
  return `Unknown command "${words.join(' ')}". ${hint}`
}

/** Number of characters to insert, delete or replace between two texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let at = 1; at <= b.length; at++)
      next.push(Math.min(row[at]! + 1, next[at - 1]! + 1, row[at - 1]! + (letter === b[at - 1] ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}

/** The words of a command, without its arguments. */
export const parseCommandWords = ({ usage }: Pick<CommandHelpLine, 'usage'>): string[] =>
  usage.split(/ [<[]/, 1)[0]?.split(' ') ?? []

/** Shells for which `completion` prints a script. */
export const shells = ['bash', 'zsh', 'fish'] as const

/** A script with which a shell completes the words of the command `coffer`, such as an alias of `npm run coffer --`. */
export function renderShellCompletion(lines: readonly CommandHelpLine[], shell: (typeof shells)[number]): string {
  const firsts = [...new Set(lines.map(line => parseCommandWords(line)[0]!))]
  const verbs = firsts.flatMap(first => {
    const of = lines
      .filter(line => parseCommandWords(line)[0] === first)
      .flatMap(line => parseCommandWords(line)[1] ?? [])
    return of.length > 0 ? [[first, of.join(' ')] as const] : []
  })
  if (shell === 'fish')
    return [
      `complete -c coffer -f -n __fish_use_subcommand -a '${firsts.join(' ')}'`,
      ...verbs.map(([first, of]) => `complete -c coffer -f -n '__fish_seen_subcommand_from ${first}' -a '${of}'`),
    ].join('\n')
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_coffer() {',
    '  local words=""',
    `  if [ "$COMP_CWORD" = 1 ]; then words="${firsts.join(' ')}"`,
    `  elif [ "$COMP_CWORD" = 2 ]; then case "\${COMP_WORDS[1]}" in`,
    ...verbs.map(([first, of]) => `    ${first}) words="${of}" ;;`),
    '  esac; fi',
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    'complete -F _coffer coffer',
  ].join('\n')
}
