import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { logout } from '../../kit/logout.ts'
import { switchShop, useOtherShops } from '../../kit/shops.ts'
import { Menu } from '../../ui/controls/Menu.tsx'
import { Icon } from '../../ui/icons.tsx'

export function UserMenu() {
  const t = useMessages('desktop')
  const { logout: signOut } = useMessages('shell')
  const navigate = useNavigate()
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const name = user?.name || user?.email || ''
  const shops = useOtherShops(user?.member?.shops)
  return (
    <Menu
      label={t.account}
      items={[
        { key: 'info', label: t.personalInfo, icon: 'user', onSelect: () => void navigate({ to: '/accountInfo' }) },
        ...(user?.member?.role === 'owner'
          ? [
              {
                key: 'people',
                label: t.people,
                icon: 'user' as const,
                onSelect: () => void navigate({ to: '/user/people' }),
              },
            ]
          : []),
        ...shops.map(({ mchid, name: shop }) => ({
          key: mchid,
          label: t.switchTo(shop || mchid),
          icon: 'swap' as const,
          onSelect: () => void switchShop(mchid),
        })),
        { key: 'logout', label: signOut, icon: 'logout', onSelect: () => void logout() },
      ]}
      trigger={props => (
        <button
          type="button"
          {...props}
          aria-label={name ? `${t.account}: ${name}` : t.account}
          className="ml-1 flex h-9 max-w-52 items-center gap-2 rounded-lg px-1.5 text-[13px] font-medium hover:bg-sunken pointer-coarse:h-11"
        >
          <span className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent-text">
            <Icon name="user" size={16} />
          </span>
          {name && <span className="hidden truncate lg:block">{name}</span>}
          <Icon name="chevronDown" size={14} className="hidden shrink-0 text-ink-3 lg:block" />
        </button>
      )}
    />
  )
}
