import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChainView, ethereum } from '@coffer/chains'
import { pino } from 'pino'
import { registry } from '../kit/metrics.ts'
import { failingNodes, watchForks } from './open-chain.ts'

test('a fork that this version was not written for is reported until it is past', async () => {
  const [now, fork] = [1_900_000_000, 1_902_000_000]
  const chain = {
    definition: { ...ethereum, id: 'forking' },
    isVerified: true,
    unknownFork: async () => fork,
  } as object
  const look = async (at: number) => {
    await watchForks(chain as ChainView, at, pino({ level: 'silent' }))
    const [, metric] = /^coffer_chain_unknown_fork\{chain="forking"\} (\d+)$/m.exec(await registry.metrics()) ?? []
    return [
      Number(metric),
      failingNodes(0)
        .filter(each => each.chain === 'forking')
        .map(each => each.reason),
    ]
  }
  const why = 'the chain forks on 2030-04-09 21:20 UTC, which this version was not written for: upgrade Coffer before'
  assert.deepEqual(await look(now), [fork, [why]])
  assert.deepEqual(await look(fork), [0, []])
})
