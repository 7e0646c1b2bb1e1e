import { truncateAddress } from '@latchkey/core/internal'
import { useCopy } from '../../app/useCopy.ts'
import { enShared } from '../../locales/enShared.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Row } from '../../parts/Row.tsx'
import views from '../view.module.css'

/** A row that copies a long string, of which it shows `shortText`, or both ends. */
export function CopyRow({
  label,
  text,
  shortText = truncateAddress(text),
}: {
  label: string
  text: string
  shortText?: string
}) {
  const t = useT(enShared)
  const { copied, copy } = useCopy()
  return (
    <>
      <Row
        label={
          <>
            <span className={views.hidden}>{t('action.copy')} </span>
            {label}
          </>
        }
        title={text}
        end={
          <>
            <bdi translate="no">{shortText}</bdi>
            <Icon name={copied ? 'check' : 'copy'} size={16} />
          </>
        }
        onClick={() => copy(text)}
      />
      <span className={views.hidden} role="status">
        {copied && t('action.copied')}
      </span>
    </>
  )
}
