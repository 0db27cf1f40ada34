import type { ChainView } from '../chain.ts'
import { conformance, type Harness, type Payment } from '../conformance.ts'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import { FakeChain } from './chain.ts'
import { NO_FAULTS } from './faults.ts'
import type { FakeMovement } from './ledger.ts'

// Words in place of addresses: nothing in the suite depends on how a kind writes them.
const PAYER = 'payer'
const [token, feeToken, foreign] = ['token', 'fee token', 'foreign token'] as const

const movements = (from: string, payment: Payment): FakeMovement[] => {
  const fee = payment.token === feeToken ? payment.amount / 100n : 0n
  const arrives = { ...payment, from, amount: payment.amount - fee }
  return fee ? [arrives, { ...arrives, to: PAYER, amount: fee }] : [arrives]
}

type Differences = Partial<Harness> & { from?: string; without?: Partial<Record<keyof ChainView, undefined>> }

const open = ({ from = PAYER, without = {}, ...differences }: Differences = {}): Harness => {
  const definition = defineSandboxChain(ethereum, { chainId: 1, confirmations: 4, blockTime: 1, tokens: [] })
  const chain = new FakeChain({ definition, seed: 7 })
  return {
    chain: Object.assign(chain, without),
    archive: true,
    token,
    feeToken,
    foreign,
    fails: true,
    forms: {
      address: index => `address ${index}`,
      isSender: sender => sender === from,
      unknown: { hash: 'no block', txid: 'no transaction' },
    },
    pay: async (transactions, how = 'succeeds') =>
      chain.mine(
        transactions.map(payments => payments.flatMap(payment => movements(from, payment))),
        how === 'reverts' ? 'reverted' : 'success',
      ),
    mine: async blocks => {
      for (let i = 0; i < blocks; i++) chain.mine()
    },
    reorg: async (depth, transactions) => chain.reorg(depth, transactions),
    nodes: async how => {
      const faults = how === 'failing' ? { error: 0.3, hang: 0.1, orphaned: 0.2, tooLarge: 0.3, lag: 2 } : {}
      chain.faults = { ...NO_FAULTS, ...faults, behind: typeof how === 'object' ? how.behind : 0 }
    },
    stop: async () => {},
    ...differences,
  }
}

conformance('in-memory fake', async () => open())

const accounts = { receipt: undefined, balanceOf: undefined, certainBalances: undefined, recentBalances: undefined }
conformance(
  'in-memory fake with outputs only: no tokens, senders, receipts, balances or failing transactions',
  async () => open({ from: '', token: null, feeToken: null, foreign: null, fails: false, without: accounts }),
)
