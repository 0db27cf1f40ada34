import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { padWord } from './calls.ts'
import { Disperse, Sweeper } from './generated/bytecode.ts'

/**
 * The deterministic deployment proxy (github.com/Arachnid/deterministic-deployment-proxy), which has this address on
 * nearly every chain. It deploys the code that follows a salt of 32 bytes, at an address that depends on nothing else
 * (CREATE2).
 */
export const deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SALT = '0'.repeat(64)

/**
 * A contract of ours. Its address commits to its code, so a key that knows the address can only ever call that code.
 */
export type DeployableContract = {
  address: string
  /** Data of the transaction to `deployer` that deploys it. */
  deployData: `0x${string}`
}

/** The contract that pays many receivers at once. It is the same for everybody. */
export const disperseContract: DeployableContract = contractOf(Disperse)

/** The contract to which deposit addresses delegate. Each treasury has its own. */
export function sweeperOf(treasury: string): DeployableContract {
  return contractOf(`${Sweeper}${padWord(treasury.slice(2))}`)
}

function contractOf(initCode: string): DeployableContract {
  const hash = bytesToHex(keccak_256(hexToBytes(initCode.slice(2))))
  const place = keccak_256(hexToBytes(`ff${deployer.slice(2)}${SALT}${hash}`))
  return { address: `0x${bytesToHex(place.slice(12))}`, deployData: `0x${SALT}${initCode.slice(2)}` }
}
