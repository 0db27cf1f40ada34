import { useEffect, useState } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'

const collapsePointPx = 1400
const narrow = () => matchMedia(`(max-width: ${collapsePointPx}px)`)

/** Whether the side menu is collapsed: by itself at 1400 px or less, otherwise as it was left. By hand both ways. */
export function useMenuState(): { collapsed: boolean; toggle(): void } {
  const [collapsed, setCollapsed] = useState(() => narrow().matches || readStored('menu') === 'collapsed')
  useEffect(() => {
    const query = narrow()
    const follow = () => setCollapsed(query.matches || readStored('menu') === 'collapsed')
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return {
    collapsed,
    toggle() {
      setCollapsed(!collapsed)
      // At narrow widths opening it is for now; the remembered choice is the one made where there is room.
      if (!narrow().matches) writeStored('menu', collapsed ? null : 'collapsed')
    },
  }
}
