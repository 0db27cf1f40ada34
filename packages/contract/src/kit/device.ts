/** Whether the user agent is a phone. Tablets get the desktop layout. */
export function isPhoneAgent(userAgent: string): boolean {
  if (/iPhone|iPod|Windows Phone|BlackBerry|Opera Mini/i.test(userAgent)) return true
  const android = userAgent.search(/Android/i)
  return android >= 0 && /Mobile/i.test(userAgent.slice(android))
}
