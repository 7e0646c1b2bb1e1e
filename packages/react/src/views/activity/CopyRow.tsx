import { truncateAddress } from '@latchkey/core/internal'
import { useCopy } from '../../app/useCopy.ts'
import { enActivityDetail } from '../../locales/activity/enActivityDetail.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Row } from '../../parts/Row.tsx'
import styles from './ActivityDetail.module.css'

/** A row that copies a long string, of which it shows both ends. */
export function CopyRow({ label, text }: { label: string; text: string }) {
  const t = useT(enActivityDetail)
  const { copied, copy } = useCopy()
  return (
    <>
      <Row
        label={
          <>
            <span className={styles.hidden}>{t('action.copy')} </span>
            {label}
          </>
        }
        title={text}
        end={
          <>
            <bdi translate="no">{truncateAddress(text)}</bdi>
            <Icon name={copied ? 'check' : 'copy'} size={16} />
          </>
        }
        onClick={() => copy(text)}
      />
      <span className={styles.hidden} role="status">
        {copied && t('action.copied')}
      </span>
    </>
  )
}
