import { BlockOrphaned, CallRefused, ChainUnavailable, ResponseTooLarge } from '@coffer/chains'
import { isFull } from '@coffer/local/testing/full.ts'
import { Refusal } from '../kit/refusal.ts'
import { SignerRefused, SignerUnavailable } from '../signer/client.ts'

/** Ways in which anything can throw. */
const errors = [
  () => new Error('a bug'),
  () => new TypeError('undefined is not a function'),
  () => new ChainUnavailable('timeout'),
  () => new CallRefused('EVM error InvalidFEOpcode', -32_603),
  () => new ResponseTooLarge('too large'),
  () => new BlockOrphaned('orphaned'),
  () => new SignerUnavailable('gone'),
  () => new SignerRefused('bad_request'),
  () => new Refusal('withdrawal_cannot_change', { field: 'id' }),
  () => 'not an error',
]

/**
 * Ways to throw in a step: 4 of the 10, other ones in each step and on each kind of chain, or all of them with
 * `npm test -- --full`.
 */
export function errorsIn(step: number, kind: 'EVM' | 'TRON'): (() => unknown)[] {
  const from = kind === 'EVM' ? step : step + 5
  return isFull() ? errors : [0, 3, 6, 9].map(each => errors[(from + each) % errors.length]!)
}

type Method = (...args: never[]) => unknown

/** Replaces a method until the returned function is called. */
function replace(of: object, name: string, by: (original: Method) => Method): () => void {
  const own = Object.getOwnPropertyDescriptor(of, name)
  Object.defineProperty(of, name, { value: by(Reflect.get(of, name).bind(of)), configurable: true, writable: true })
  return () => void (own ? Object.defineProperty(of, name, own) : Reflect.deleteProperty(of, name))
}
const fail = (error: unknown) => {
  if (error !== undefined) throw error
}
/** Has a method fail before it does anything, or once it has done everything. */
export const before = (of: object, name: string, errorOf: Method) =>
  replace(of, name, call => async (...args) => {
    fail(errorOf(...args))
    return call(...args)
  })
export const after = (of: object, name: string, errorOf: (done: never, ...args: never[]) => unknown) =>
  replace(of, name, call => async (...args) => {
    const done = (await call(...args)) as never
    fail(errorOf(done, ...args))
    return done
  })
