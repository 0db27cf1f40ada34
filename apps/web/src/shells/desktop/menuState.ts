import { useEffect, useState } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'

const collapsePointPx = 1400
const narrow = () => matchMedia(`(max-width: ${collapsePointPx}px)`)

/** Side menu state: collapsed at 1400 px or less, otherwise as last chosen. The toggle works at any width. */
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
      // On narrow windows the toggle is temporary; only a choice made on wide ones is remembered.
      if (!narrow().matches) writeStored('menu', collapsed ? null : 'collapsed')
    },
  }
}
