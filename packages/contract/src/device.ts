/** Whether the user agent is a phone. Tablets get the desktop layout. */
export const isPhoneAgent = (userAgent: string): boolean =>
  /iPhone|iPod|Windows Phone|BlackBerry|Opera Mini|Android(?=.*Mobile)/i.test(userAgent)
