import { plural } from '../../lib/plural.ts'

/** Texts of the console about missing money and incidents. */
export default {
  // The line on top of every page
  accounted: (ago: string) => `All money accounted for, compared ${ago}`,
  missingMoney: (amount: string, chain: string, since: string) => `${amount} missing on ${chain} since ${since}`,
  doubtedMoney: (amount: string, chain: string, since: string) =>
    `${amount} in doubt on ${chain} since ${since}, not withdrawable until decided`,
  missingMore: (count: number) => `and of ${count} more ${plural(count, 'asset', 'assets')}`,
  withdrawalsStopped: 'withdrawals stopped',
  withdrawalsGoOn: 'withdrawals continue',
  notCompared: (assets: string) => `Not known whether all money is there: ${assets}`,
  comparedAgo: (asset: string, ago: string) => `${asset} compared ${ago}`,
  comparedBut: {
    unread: (compared: string) => `${compared}, but its network is not read`,
    wallet: (compared: string) => `${compared}, but a wallet is halted`,
  },
  neverCompared: (asset: string) => `${asset} never compared`,
  accountedUnread: 'Not known whether all money is there: the server does not answer',
  showIncident: 'Show the incident',
  justNow: 'just now',
  minutesAgo: (count: number) => `${count} min ago`,
  hoursAgo: (count: number) => `${count} h ago`,
  daysAgo: (count: number) => `${count} ${plural(count, 'day', 'days')} ago`,
  // Today
  lasts: (time: string) => `for ${time}`,
  olderIncidents: (count: number) => `${count} older ${plural(count, 'incident', 'incidents')}`,
  alarmsFirst: 'No decisions are pending. See to the alarms first.',
  todoRemoval: (merchant: string) => `Remove the authenticator of ${merchant}`,
  removalAsks: (who: string) => `needs a second operator; ${who} requested it at`,
  removalDue: (who: string, second: string) => `${who} and ${second} decided it; it takes effect at`,
  yesterday: 'Yesterday (UTC)',
  // The state of an asset
  liquidityStates: {
    covered: 'Covered',
    short: 'Wallet below what is reserved',
    uncovered: 'Less than owed',
    missing: 'Money is missing',
    unknown: 'Not known',
  },
}
