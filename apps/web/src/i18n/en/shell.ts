import { callback, exception, payment } from '@coffer/contract/labels/en.ts'
import { pluralize } from '../../lib/pluralize.ts'

export default {
  groups: { overview: 'Overview', money: 'Money', integration: 'Integration', account: 'Account' },
  skipToContent: 'Skip to content',
  mainMenu: 'Main menu',
  closeMenu: 'Close menu',
  documentation: 'Documentation',
  announcements: 'Announcements',
  logout: 'Logout',
  search: 'Search',
  // A form that is left
  discardTitle: 'Discard what you entered?',
  discardText: 'The form has not been submitted.',
  discard: 'Discard',
  // Notifications
  notifications: 'Notifications',
  notificationsUnread: (count: string) => `Notifications, ${count} unread`,
  notificationsMoney: 'Notifications, money has moved',
  today: 'Today',
  yesterday: 'Yesterday',
  endOfList: 'It is all, nothing more',
  // The sandbox
  testMode: 'Test mode',
  testModeText: 'This is a sandbox. No money is real.',
  notLive: 'Not connected to the server. The data shown may be out of date; it updates once the connection is back.',
  delayed: (chains: string) =>
    `Updates from ${chains} are delayed. No money is lost, and affected payments do not time out.`,
  // Lists, dates and states
  inAll: (text: string, count: number) => `${text} ${pluralize(count, 'entry', 'entries')}`,
  dateRange: 'Date range',
  anyTime: 'Any time',
  apply: 'Apply',
  clear: 'Clear',
  unknown: 'Unknown',
  paymentStates: payment,
  exceptions: exception,
  callbackStates: callback,
  counterPaid: (amount: string) => `Paid at the counter: ${amount}`,
}
