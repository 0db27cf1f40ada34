import type { rateSources } from '@coffer/contract/codes/applications.ts'

type Source = (typeof rateSources)[number]

export default {
  title: 'Rates',
  text: (name: string) => `How new payments of ${name} are priced. Existing payments keep their rates.`,
  save: 'Save',
  saved: 'Rates saved.',
  spread: 'Spread',
  spreadHint:
    'A percentage added to the price of payments in a fiat currency; negative for a discount. From -20 to 20.',
  spreadBad: 'Enter a percentage from -20 to 20 with at most 2 decimal places',
  sources: 'Sources',
  sourcesHint: 'The first source that has a rate is used. Currencies without a rate of yours use the market price.',
  sourcesNeeded: 'Choose at least one source',
  names: { fixed: 'Fixed rates', own: 'Rates from your URL', market: 'Market price' } as Record<Source, string>,
  hints: {
    fixed: 'As entered below',
    own: 'At most 5 minutes old',
    market: 'Median of several exchanges',
  } as Record<Source, string>,
  earlier: (name: string) => `Move up: ${name}`,
  fixed: 'Fixed rates',
  fixedHint:
    'One per line: CNY 7.2 is 7.2 CNY for 1 USDT, ETH 2500 is 2500 USDT for 1 ETH. Between half and twice the market price.',
  fixedBad: 'Enter a currency and its rate on each line, at most 30 lines, such as 1500 or 1.5, not 1,500 or 1.500',
  own: 'Rates from your URL',
  ownHint:
    'One per line: currency, https URL of a JSON document, and the path of the rate in it. Read once a minute; a rate that is off the market by more than a factor of 1.2 is not used.',
  ownBad: 'Enter a currency, a URL and a path such as data.0.price on each line, at most 10 lines',
  readings: 'Latest readings',
  read: 'Read',
  unread: 'Not read yet',
  failures: {
    unreachable: 'No answer',
    bad_answer: 'Not a JSON answer',
    no_value: 'No rate at the path',
    implausible: 'Too far from the market',
  } as Record<string, string>,
}
