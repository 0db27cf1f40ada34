import { type LinkComponentProps, type NavigateOptions, useNavigate, useParams } from '@tanstack/react-router'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Link as AnyLink } from '../../ui/controls/Link.tsx'
import { type ConsoleRouter, type Route, routes } from '../routes.ts'
import { usePermissionCheck } from './api.ts'

const callAt = new Map<string, Route['call']>(routes.map(({ path, call }) => [path, call]))

function ConsoleLink(props: ComponentProps<typeof AnyLink>) {
  const call = callAt.get(String(props.to))
  const may = usePermissionCheck()
  return call === undefined || may(call) ? <AnyLink {...props} /> : <span>{props.children as ReactNode}</span>
}

/** A link within the console; the text alone for a role that may not read the page. */
export const Link = ConsoleLink as unknown as <const To extends string>(
  props: LinkComponentProps<'a', ConsoleRouter, string, To> & Pick<ComponentProps<typeof AnyLink>, 'look'>,
) => ReactElement

type Navigate = <const To extends string>(options: NavigateOptions<ConsoleRouter, string, To>) => Promise<void>

/** Navigates within the console. */
export const useConsoleNavigate = useNavigate as unknown as () => Navigate

/** The id in the path of a page. */
export const usePathId = (): string => (useParams({ strict: false }) as { id: string }).id

export const MerchantLink = ({ id, children = id }: { id: string; children?: ReactNode }) => (
  <Link to="/merchants/$id" params={{ id }}>
    {children}
  </Link>
)

export const PaymentLink = ({ id, children = id }: { id: string; children?: ReactNode }) => (
  <Link to="/payments/$id" params={{ id }}>
    {children}
  </Link>
)

export const WithdrawalLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to="/withdrawals/$id" params={{ id }}>
    {children}
  </Link>
)

export const RefundLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to="/refunds/$id" params={{ id }}>
    {children}
  </Link>
)

/** A link to what operators did to an object. */
export const LogLink = ({ text, children }: { text: string; children?: ReactNode }) => {
  const { showLog } = useMessages('operator')
  return (
    <Link to="/log" search={{ text }}>
      {children ?? showLog}
    </Link>
  )
}

/** A link from a page to the one above. */
export const ParentPageLink = ({
  to,
  children,
}: {
  to: '/incidents' | '/merchants' | '/withdrawals' | '/orders' | '/search'
  children: ReactNode
}) => (
  <p className="mb-2 text-[13px]">
    <Link to={to}>{children}</Link>
  </p>
)
