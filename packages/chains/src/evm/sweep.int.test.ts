import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { suiteScope } from '@coffer/local/testing/scope.ts'
import { bytesToHex, encodeFunctionData, type Hex, parseEther } from 'viem'
import { privateKeyToAccount, signAuthorization } from 'viem/accounts'
import { type Account, type MoneyOut, moneyOut, newAccount } from '../testing/money-out.ts'
import { sweeperOf } from './contracts.ts'
import { Sweeper } from './generated/contracts.ts'
import { signTransaction } from './transfer.ts'

/** Answers 256 to balanceOf and false to every other call. */
const RETURNS_FALSE = '0x5f3560e01c6370a082311460081b5f5260205ff3'

describe('Sweeper', () => {
  let out: MoneyOut
  let contract: Hex
  const scope = suiteScope()
  before(async () => {
    out = await moneyOut(scope)
    contract = sweeperOf(out.hot.address).address as Hex
  })

  const funded = async (token: Hex, amount = 1_000n) => {
    const owner = newAccount()
    await out.issue(token, owner.address, amount)
    return owner
  }
  /** Sweeps; an owner with a nonce is delegated first. Returns the senders in the token's own Transfer events. */
  const sweep = async (token: Hex | null, owners: [owner: Account, nonce: number | null][]) => {
    const swept = owners.map(([{ address, privateKey }, nonce]) => {
      return { address, authorize: nonce === null ? null : { privateKey, nonce } }
    })
    const receipt = await out.act({ does: 'sweep', token, treasury: out.hot.address, owners: swept }, out.sweeper)
    assert.equal(receipt.status, 'success')
    const logs = receipt.logs.filter(log => log.address.toLowerCase() === token)
    return logs.map(log => `0x${log.topics[1]!.slice(26)}`)
  }

  test('is deployed at the address that its code gives', async () => {
    const treasury = await out.client.readContract({ address: contract, abi: Sweeper.abi, functionName: 'treasury' })
    assert.equal(treasury.toLowerCase(), out.hot.address)
  })

  test('sweeps all but one unit of many addresses at once, again without authorization', async () => {
    for (const token of [out.usdt, out.standard]) {
      const owners = [await funded(token), await funded(token), await funded(token)]
      const before = await out.balance(token, out.hot.address)
      assert.deepEqual(
        await sweep(
          token,
          owners.map(owner => [owner, 0]),
        ),
        owners.map(owner => owner.address),
      )
      assert.equal(await out.balance(token, out.hot.address), before + 2_997n)
      for (const { address } of owners) assert.equal(await out.balance(token, address), 1n)

      await out.issue(token, owners[1]!.address, 500n)
      assert.deepEqual(
        await sweep(
          token,
          owners.map(owner => [owner, null]),
        ),
        [owners[1]!.address],
      )
      assert.equal(await out.balance(token, owners[1]!.address), 1n)
    }
  })

  test('a stale authorization is skipped silently and stops nobody', async () => {
    const stale = await funded(out.usdt)
    const good = await funded(out.usdt)
    const used = await funded(out.usdt)
    await out.send(used.address, '0x', parseEther('1'))
    await out.act({ does: 'transfer', token: null, to: used.address, amount: 0n }, used, 21_000n)
    const found = await sweep(out.usdt, [
      [stale, 5],
      [good, 0],
      [used, 0],
    ])
    assert.deepEqual(found, [good.address])
    assert.equal(await out.balance(out.usdt, stale.address), 1_000n)
    assert.deepEqual(
      await sweep(out.usdt, [
        [stale, 0],
        [used, 1],
      ]),
      [stale.address, used.address],
    )
  })

  test('an authorization for chain 0 works everywhere, so none is signed', async () => {
    const owner = await funded(out.usdt)
    const sign = async (chainId: number) => {
      const authorization = { chainId, contractAddress: contract, nonce: 0, privateKey: bytesToHex(owner.privateKey) }
      const authorizationList = [await signAuthorization(authorization)]
      const account = privateKeyToAccount(bytesToHex(out.sweeper.privateKey))
      const hash = await out.client.sendTransaction({ account, chain: null, to: account.address, authorizationList })
      await out.client.waitForTransactionReceipt({ hash })
      return out.client.getCode({ address: owner.address })
    }
    assert.equal(await sign(1), undefined)
    assert.equal(await sign(0), `0xef0100${contract.slice(2)}`)

    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
    const unsigned = { chainId: 0, nonce: 0, to: contract, value: 0n, data: '0x' as const, gas: 100_000n, ...fees }
    await assert.rejects(signTransaction(unsigned, out.sweeper.privateKey), /one chain/)
  })

  test('a call to an address without delegation succeeds and does nothing', async () => {
    const owner = await funded(out.usdt)
    assert.deepEqual(await sweep(out.usdt, [[owner, null]]), [])
    assert.equal(await out.balance(out.usdt, owner.address), 1_000n)
  })

  test('one address that the issuer blocks stops nobody', async () => {
    const owners = [await funded(out.usdt), await funded(out.usdt), await funded(out.usdt)]
    await out.write(out.usdt, 'setBlackListed', [owners[0]!.address, true])
    const found = await sweep(
      out.usdt,
      owners.map(owner => [owner, 0]),
    )
    assert.deepEqual(found, [owners[1]!.address, owners[2]!.address])
  })

  test('a paused token is swept later, without a new authorization', async () => {
    const owner = await funded(out.usdt)
    await out.write(out.usdt, 'setPaused', [true])
    assert.deepEqual(await sweep(out.usdt, [[owner, 0]]), [])
    await out.write(out.usdt, 'setPaused', [false])
    assert.deepEqual(await sweep(out.usdt, [[owner, null]]), [owner.address])
  })

  test('a token that returns false or is no contract at all does not count as swept', async () => {
    const owner = await funded(out.usdt)
    const lying = newAccount().address
    await out.client.setCode({ address: lying, bytecode: RETURNS_FALSE })
    assert.deepEqual(await sweep(lying, [[owner, 0]]), [])
    assert.deepEqual(await sweep(newAccount().address, [[owner, null]]), [])
    assert.deepEqual(await sweep(out.usdt, [[owner, null]]), [owner.address])
  })

  test('the event of a token with a fee says what the treasury received', async () => {
    const owner = await funded(out.feeToken, 10_001n)
    const before = await out.balance(out.feeToken, out.hot.address)
    assert.ok((await sweep(out.feeToken, [[owner, 0]])).includes(owner.address))
    assert.equal(await out.balance(out.feeToken, out.hot.address), before + 9_900n)
  })

  test('sweeps native coin, which it accepts; 21,000 gas are then too little for a payer', async () => {
    const owner = newAccount()
    await out.send(owner.address, '0x', parseEther('1'))
    const before = await out.client.getBalance({ address: out.hot.address })
    await sweep(null, [[owner, 0]])
    assert.equal(await out.client.getBalance({ address: owner.address }), 1n)
    assert.equal(await out.client.getBalance({ address: out.hot.address }), before + parseEther('1') - 1n)

    const payer = newAccount()
    await out.send(payer.address, '0x', parseEther('1'))
    const pay = (gas: bigint) => out.act({ does: 'transfer', token: null, to: owner.address, amount: 7n }, payer, gas)
    assert.equal((await pay(21_000n)).status, 'reverted')
    assert.equal((await pay(30_000n)).status, 'success')
    assert.equal(await out.client.getBalance({ address: owner.address }), 8n)
  })

  test('whoever calls a delegated address, coins go to the treasury', async () => {
    const owner = await funded(out.usdt)
    await sweep(out.standard, [[owner, 0]])
    const before = await out.balance(out.usdt, out.hot.address)
    await out.send(owner.address, encodeFunctionData({ abi: Sweeper.abi, functionName: 'sweep', args: [out.usdt] }))
    assert.equal(await out.balance(out.usdt, out.hot.address), before + 999n)
  })

  test('a delegated address calls nobody else', async () => {
    const owner = await funded(out.usdt)
    await sweep(out.usdt, [[owner, 0]])
    const data = encodeFunctionData({
      abi: Sweeper.abi,
      functionName: 'sweepMany',
      args: [out.usdt, [out.usdt]],
    })
    assert.equal((await out.send(owner.address, data)).status, 'reverted')
  })

  test('an estimate leaves enough gas for each address', async () => {
    const owners = [await funded(out.usdt), await funded(out.usdt)]
    await sweep(
      out.standard,
      owners.map(owner => [owner, 0]),
    )
    const args = [out.usdt, owners.map(owner => owner.address)] as const
    const data = encodeFunctionData({ abi: Sweeper.abi, functionName: 'sweepMany', args })
    const call = { to: contract, data, account: out.sweeper.address }
    const gas = await out.client.estimateGas(call)
    const swept = owners.map(({ address }) => ({ address, authorize: null }))
    const action = { does: 'sweep', token: out.usdt, treasury: out.hot.address, owners: swept } as const
    const receipt = await out.act(action, out.sweeper, gas)
    assert.equal(receipt.logs.length, 2)
    assert.equal((await out.act(action, out.sweeper, 150_000n)).status, 'reverted')
  })
})
