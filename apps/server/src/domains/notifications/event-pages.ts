import type { NotificationSubject } from '@coffer/contract/codes.ts'
import { findNotificationSubject } from './render-message.ts'

/** The page of the back-office about a subject, by the number that its list is searched by. */
const pages: Record<NotificationSubject, (id: string) => string> = {
  payment: id => `/record?trade_no=${id}`,
  refund: id => `/record/refund?order=${id}`,
  withdrawal: id => `/record/withdrawal?id=${id}`,
  transfer: id => `/transfer/record?id=${id}`,
  recharge: id => `/property/recharge?text=${id}`,
  callback: id => `/callbackList?id=${id}`,
  work_order: id => `/workOrder?number=${id}`,
  application: id => `/appManage?appid=${id}`,
  security: () => '/accountInfo',
  billing: () => '/billing',
}

/** Returns the path of the page that an event leads to. */
export const findEventPage = (subject: { kind: NotificationSubject; id: string } | undefined): string =>
  subject ? pages[subject.kind](encodeURIComponent(subject.id)) : '/'

/** Returns the path of the page for whoever is sent an event. */
export const findPageOfEvent = ({ event, params }: { event: string; params: Record<string, string> }): string =>
  // Whoever is asked to approve finds what waits in one list.
  event === 'withdrawal_waits' ? '/approvals' : findEventPage(findNotificationSubject(event, params))
