import type { ComponentType } from 'react'
import type { PageLoader } from './kit/router/makeRouter.tsx'
import type { Route } from './routes.ts'

const files = import.meta.glob<{ default: ComponentType }>('./features/*/*Page.tsx')

/** The page of a route as the desktop has it. */
export const findDesktopPage = ({ desktop }: Route): PageLoader => files[`./features/${desktop}.tsx`]!
