import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePasswords } from './passwords.ts'

const cheap = { memory: 64, passes: 1, parallelism: 1 }

test('a hash is a PHC string with its cost parameters and a unique salt', async () => {
  const passwords = makePasswords()
  const hash = await passwords.hash('Correct1Horse', 'a')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(hash, await passwords.hash('Correct1Horse', 'a'))
  assert.equal(await passwords.verify(hash, 'Correct1Horse', 'a'), true)
  assert.equal(await passwords.verify(hash, 'correct1Horse', 'a'), false)
})

test('a hash with another cost still verifies', async () => {
  const hash = await makePasswords(cheap).hash('Correct1Horse', 'a')
  assert.equal(await makePasswords({ ...cheap, passes: 2 }).verify(hash, 'Correct1Horse', 'a'), true)
})

test('a malformed stored hash throws instead of counting as a wrong password', async () => {
  await assert.rejects(makePasswords(cheap).verify('plain', 'plain', 'a'), /PHC/)
})

test('verification without a stored hash always fails', async () => {
  const passwords = makePasswords(cheap)
  for (const guess of ['', 'Correct1Horse', '\u0000']) assert.equal(await passwords.verify(null, guess, 'a'), false)
})

test('requests beyond the queue limit are refused as busy, and hashing recovers afterwards', async () => {
  const passwords = makePasswords({ memory: 1_024, passes: 1, parallelism: 1 }, 3)
  const results = await Promise.allSettled(
    Array.from({ length: 150 }, (_, i) => passwords.hash('Correct1Horse', `network ${i}`)),
  )
  const busy = results.filter(result => result.status === 'rejected')
  assert.equal(busy.length, 47, 'three run, a hundred wait')
  const one = await Promise.allSettled(Array.from({ length: 20 }, () => passwords.hash('Correct1Horse', 'a')))
  assert.equal(one.filter(result => result.status === 'rejected').length, 7, 'three run, ten wait')
  assert.ok(busy.every(result => result.reason.reason === 'busy'))
  assert.equal(await passwords.verify(await passwords.hash('Correct1Horse', 'a'), 'Correct1Horse', 'a'), true)
})
