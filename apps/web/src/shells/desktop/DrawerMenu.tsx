import { useMessages } from '../../i18n/messages.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { SideDrawer } from '../SideDrawer.tsx'
import { Brand, SideMenu } from './SideMenu.tsx'

/** The side menu on small screens. */
export default function DrawerMenu({ onClose }: { onClose(): void }) {
  const t = useMessages('shell')
  return (
    <SideDrawer label={t.mainMenu} className="w-[264px]" onClose={onClose}>
      <div className="flex items-center justify-between pr-3">
        <Brand collapsed={false} />
        <IconButton icon="close" label={t.closeMenu} onClick={onClose} />
      </div>
      <div className="relative min-h-0 grow overflow-y-auto">
        <SideMenu collapsed={false} onChoose={onClose} />
        <a
          href="/docs"
          target="_blank"
          rel="noreferrer"
          className="mx-3 mb-3 flex h-9 items-center gap-2.5 rounded-lg px-2.5 text-sm text-ink-2 hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-11"
        >
          <Icon name="book" />
          {t.documentation}
        </a>
      </div>
    </SideDrawer>
  )
}
