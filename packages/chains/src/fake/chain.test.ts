import { conformance, type Payment } from '../conformance.ts'
import { ethereum, sandboxOf } from '../definitions.ts'
import { FakeChain } from './chain.ts'
import { NO_FAULTS } from './faults.ts'
import type { FakeMovement } from './ledger.ts'

// Words in place of addresses: nothing in the suite depends on how a kind writes them.
const PAYER = 'payer'
const [token, feeToken, foreign] = ['token', 'fee token', 'foreign token'] as const

const movements = (payment: Payment): FakeMovement[] => {
  const kept = payment.token === feeToken ? payment.amount / 100n : 0n
  const arrives = { ...payment, from: PAYER, amount: payment.amount - kept }
  return kept ? [arrives, { ...arrives, to: PAYER, amount: kept }] : [arrives]
}

conformance('in-memory fake', async () => {
  const definition = sandboxOf(ethereum, { chainId: 1, confirmations: 4, blockTime: 1, tokens: [] })
  const chain = new FakeChain({ definition, seed: 7 })
  return {
    chain,
    archive: true,
    token,
    feeToken,
    foreign,
    forms: {
      address: index => `address ${index}`,
      isSender: from => from === PAYER,
      unknown: { hash: 'no block', txid: 'no transaction' },
    },
    pay: async (transactions, how = 'succeeds') =>
      chain.mine(
        transactions.map(payments => payments.flatMap(movements)),
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
  }
})
