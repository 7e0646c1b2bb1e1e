import './page.css'
import '@latchkey/react/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { registerWorker } from './offline/registerWorker.ts'
import { Root } from './Root.tsx'

const element = document.getElementById('root')
if (!element) throw new Error('The page has no #root')
createRoot(element).render(
  <StrictMode>
    <Root />
  </StrictMode>,
)
registerWorker()
