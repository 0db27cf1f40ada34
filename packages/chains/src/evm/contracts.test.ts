import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeDeployData, encodeFunctionData, getContractAddress, type Hex, zeroHash } from 'viem'
import { encodeContractCall } from './action.ts'
import { deployer, disperseContract, sweeperOf } from './contracts.ts'
import { Disperse, Sweeper } from './generated/contracts.ts'

const treasury = '0x00000000000000000000000000000000000000f0'
const token = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const [a, b] = ['0x00000000000000000000000000000000000000a1', '0x00000000000000000000000000000000000000a2'] as const

test('keeps the addresses at which operators have deployed the contracts', () => {
  // A change of the source or the compiler moves them: every operator would have to deploy and approve again.
  assert.equal(disperseContract.address, '0x3bc4c1bb7321a54d444cdefcbe2cf54b15f9c98f')
  assert.equal(sweeperOf(treasury).address, '0x23cb05f7e8640a2037be617c0d58003926abeff7')
})

test('derives the addresses as the deployer does', () => {
  const address = (bytecode: Hex) =>
    getContractAddress({ opcode: 'CREATE2', from: deployer, salt: zeroHash, bytecode }).toLowerCase()
  assert.equal(disperseContract.address, address(Disperse.bytecode))
  assert.equal(sweeperOf(treasury).address, address(encodeDeployData({ ...Sweeper, args: [treasury] })))
})

test('encodes the calls of the contracts', () => {
  const payments = [
    { to: a, amount: 1n },
    { to: b, amount: 2n ** 200n },
  ]
  const paid = encodeFunctionData({ abi: Disperse.abi, functionName: 'pay', args: [token, payments] })
  assert.equal(encodeContractCall({ does: 'batch', token, payments }), paid)
  const owners = [a, b].map(address => ({ address, authorize: null }))
  for (const [requested, named] of [
    [token, token],
    [null, `0x${'0'.repeat(40)}`],
  ] as const) {
    const swept = encodeFunctionData({ abi: Sweeper.abi, functionName: 'sweepMany', args: [named, [a, b]] })
    assert.equal(encodeContractCall({ does: 'sweep', token: requested, treasury, owners }), swept)
  }
})
