import { askSocial } from '@latchkey/core/internal'
import { providerNames } from '@latchkey/wire'
import { useApp } from '../../app/useApp.ts'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Row } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { Legal } from '../connect/Legal.tsx'
import styles from '../view.module.css'
import { SocialMark } from './SocialMark.tsx'
import { useSocials } from './useSocials.ts'

/** All providers of social login. */
export function ConnectSocials() {
  const app = useApp()
  const t = useT(enLogin)
  const providers = useSocials()
  return (
    <div className={styles.column}>
      {!providers && <SkeletonRows rows={4} label={t('social.loading')} />}
      <ul className={styles.list} aria-label={t('social.all')}>
        {providers?.map((provider) => (
          <li key={provider}>
            <Row
              start={<SocialMark provider={provider} />}
              label={providerNames[provider]}
              end={<Icon name="forward" />}
              onClick={() => askSocial(app, { provider })}
            />
          </li>
        ))}
      </ul>
      <Legal />
    </div>
  )
}
