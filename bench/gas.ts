import { type MoneyOut, moneyOut, newAccount } from '@coffer/chains/testing/money-out.ts'
import { type Hex, parseEther } from 'viem'
import { type Figure, scope } from './figure.ts'

/** Addresses of a sweep, and payments of a batch. */
const SIZE = 50
const AMOUNT = 1_000_000n
/** Gas of an authorization (EIP-7702), and of the first access to an account, which the authorization includes. */
const [AUTHORIZATION, COLD_ACCOUNT] = [25_000, 2_600]

/** Gas of sweeps and payouts of a token that behaves like Tether's, on a local node with current gas rules. */
export async function gas(): Promise<Figure[]> {
  const here = scope()
  try {
    const out = await moneyOut(here)
    // Whoever runs this has a treasury and a hot wallet that hold the token already.
    await out.issue(out.usdt, out.hot.address, 10n ** 12n)
    return [...(await sweeps(out)), ...(await payouts(out))]
  } finally {
    await here.end()
  }
}

async function sweeps(out: MoneyOut): Promise<Figure[]> {
  const alone = await sendGasThenTransfer(out)
  const owners = Array.from({ length: SIZE }, newAccount)
  const sweep = async (authorized: boolean) => {
    for (const { address } of owners) await out.issue(out.usdt, address, AMOUNT)
    const swept = owners.map(({ address, privateKey }) => {
      return { address, authorize: authorized ? { privateKey, nonce: 0 } : null }
    })
    const action = { does: 'sweep', token: out.usdt, treasury: out.hot.address, owners: swept } as const
    const { gasUsed, logs } = await out.act(action, out.sweeper)
    if (logs.length !== SIZE) throw new Error('not every address was swept')
    return Number(gasUsed) / SIZE
  }
  const ratio = (each: number) => `${(each / alone).toFixed(2)} of ${whole(alone)} for sending gas, then the token`
  const first = await sweep(true)
  const later = await sweep(false)
  // A node in production refunds half of the authorization only if the account has been used; the local one always does.
  const unused = later + AUTHORIZATION - COLD_ACCOUNT
  return [
    figure(`first sweep of an address, ${SIZE} at once`, first, 33_000, ratio(first)),
    {
      what: 'the same where addresses never held coin',
      value: whole(unused),
      comparison: `computed; ${ratio(unused)}`,
    },
    figure(`later sweep of an address, ${SIZE} at once`, later, 18_500, ratio(later)),
  ]
}

/** Gas of the two transactions that empty an address without delegation. */
async function sendGasThenTransfer(out: MoneyOut): Promise<number> {
  const owner = newAccount()
  await out.issue(out.usdt, owner.address, AMOUNT)
  const fuel = await out.act(
    { does: 'transfer', token: null, to: owner.address, amount: parseEther('0.01') },
    out.hot,
    21_000n,
  )
  const transfer = { does: 'transfer', token: out.usdt, to: out.hot.address, amount: AMOUNT } as const
  const moved = await out.act(transfer, owner, 200_000n)
  return Number(fuel.gasUsed + moved.gasUsed)
}

async function payouts(out: MoneyOut): Promise<Figure[]> {
  await out.act({ does: 'approve', token: out.usdt, amount: 2n ** 256n - 1n }, out.hot)
  const holders: Hex[] = Array.from({ length: SIZE }, () => newAccount().address)
  const payments = holders.map(to => ({ to, amount: AMOUNT }))
  const pay = async () => {
    const { gasUsed, status } = await out.act({ does: 'batch', token: out.usdt, payments }, out.hot)
    if (status !== 'success') throw new Error('the batch was not paid')
    return Number(gasUsed) / SIZE
  }
  const toNew = await pay()
  const toHolders = await pay()
  const one = async (to: Hex) =>
    Number((await out.act({ does: 'transfer', token: out.usdt, to, amount: AMOUNT }, out.hot)).gasUsed)
  const [newAlone, holderAlone] = [await one(newAccount().address), await one(holders[0]!)]
  const of = (each: number, alone: number) =>
    `${(each / alone).toFixed(2)} of ${whole(alone)} for a transfer of its own`
  return [
    figure(`payout to a holder, ${SIZE} at once`, toHolders, 12_500, of(toHolders, holderAlone)),
    { what: `payout to a new address, ${SIZE} at once`, value: whole(toNew), comparison: of(toNew, newAlone) },
  ]
}

function figure(what: string, value: number, limit: number, comparison: string): Figure {
  return { what, value: whole(value), comparison: `limit ${whole(limit)}; ${comparison}`, holds: value <= limit }
}

const whole = (gas: number) => Math.round(gas).toLocaleString('en')
