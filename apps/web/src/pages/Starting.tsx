import { text } from '../locales/text.ts'
import { Mark } from '../parts/Mark.tsx'
import { toRoute } from '../useRoute.ts'
import { PagePlaceholder } from './PagePlaceholder.tsx'
import { WelcomeStarting } from './Welcome.tsx'

/**
 * The page until the server's configuration is known. index.html draws its header before. A new
 * visitor already reads the landing page.
 */
export const Starting = () => (
  <>
    <header className="header">
      <div className="bar">
        <span className="brand">
          <Mark />
          <span>{text('app.name')}</span>
        </span>
      </div>
    </header>
    <main className="content">
      {location.pathname === '/' && !isReturning() ? (
        <WelcomeStarting />
      ) : (
        <PagePlaceholder route={toRoute(location.pathname)} />
      )}
    </main>
  </>
)

/** Whether this browser has connected accounts, whose portfolio follows. */
function isReturning(): boolean {
  try {
    return localStorage.getItem('latchkey.connections')?.includes('accounts') ?? false
  } catch {
    return false
  }
}
