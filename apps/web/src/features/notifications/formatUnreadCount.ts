const shownUpTo = 99

/** An unread count as badges show it. */
export const formatUnreadCount = (count: number): string => (count > shownUpTo ? `${shownUpTo}+` : String(count))
