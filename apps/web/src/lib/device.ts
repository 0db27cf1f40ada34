/** True for phones. Tablets get the desktop layout, which has room there. */
export const isPhoneAgent = (userAgent: string): boolean =>
  /iPhone|iPod|Windows Phone|BlackBerry|Opera Mini|Android(?=.*Mobile)/i.test(userAgent)
