import { providerNames } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { loadAhead } from '../../app/loadAhead.ts'
import { useApp } from '../../app/useApp.ts'
import { useLazyImport } from '../../app/useLazyImport.ts'

const loadMark = () => import('../login/SocialMark.tsx').then(({ SocialMark }) => SocialMark)

/**
 * The marks of the providers of social login that the app names, a `span` for each. They load when
 * the page is idle; until then each `span` is empty and has `data-waits`.
 */
export function ProviderMarks({ className }: { className?: string | undefined }) {
  const { socials = [] } = useApp().config.login
  const [isIdle, setIsIdle] = useState(false)
  const { value: SocialMark } = useLazyImport(loadMark, isIdle && socials.length > 0)
  useEffect(() => loadAhead(async () => setIsIdle(true)), [])
  return socials.map((provider) => (
    <span
      key={provider}
      className={className}
      role="img"
      aria-label={providerNames[provider]}
      data-waits={SocialMark === undefined || undefined}
    >
      {SocialMark && <SocialMark provider={provider} />}
    </span>
  ))
}
