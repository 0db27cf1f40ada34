import ipaddr from 'ipaddr.js'

/** Whether an IP address lies in a CIDR range of its kind. False for what is no address or no range. */
export function isInRange(address: string, range: string): boolean {
  if (!ipaddr.isValid(address) || !ipaddr.isValidCIDR(range)) return false
  const parsed = ipaddr.parse(address)
  const [network, bits] = ipaddr.parseCIDR(range)
  return parsed.kind() === network.kind() && parsed.match(network, bits)
}
