/** Encodes the ERC-20 call `transfer(to, amount)`. */
export function transferData(to: string, amount: bigint): `0x${string}` {
  return `0xa9059cbb${padWord(to.slice(2))}${padWord(amount.toString(16))}`
}

/** Encodes the ERC-20 call `approve(spender, amount)`. */
export function approveData(spender: string, amount: bigint): `0x${string}` {
  return `0x095ea7b3${padWord(spender.slice(2))}${padWord(amount.toString(16))}`
}

/** Encodes the ERC-20 call `allowance(owner, spender)`. */
export function allowanceData(owner: string, spender: string): `0x${string}` {
  return `0xdd62ed3e${padWord(owner.slice(2))}${padWord(spender.slice(2))}`
}

/** Encodes the ERC-20 call `balanceOf(owner)`. */
export function balanceData(owner: string): `0x${string}` {
  return `0x70a08231${padWord(owner.slice(2))}`
}

/** Encodes a quantity for JSON-RPC. */
export function encodeQuantity(value: number | bigint): `0x${string}` {
  return `0x${value.toString(16)}`
}

/** Pads hex digits to the 32 bytes of an argument. */
export function padWord(hex: string): string {
  return hex.padStart(64, '0')
}
