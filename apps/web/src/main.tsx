import { pageOf } from './pages.ts'
import { makeRouter } from './router.tsx'
import { Desktop } from './shells/desktop/Desktop.tsx'
import { start } from './start.tsx'
import './ui/app.css'

void start(makeRouter({ shell: Desktop, pageOf }))
