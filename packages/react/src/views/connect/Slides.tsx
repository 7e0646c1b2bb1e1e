import type { IconName } from '../../parts/Icon.tsx'
import { RowIcon } from '../../parts/Row.tsx'
import styles from '../view.module.css'

/** A list of short facts, each with an icon. */
export const Slides = ({
  slides,
}: {
  slides: readonly { icon: IconName; title: string; text: string }[]
}) => (
  <ul className={styles.slides}>
    {slides.map(({ icon, title, text }) => (
      <li key={title} className={styles.slide}>
        <RowIcon name={icon} />
        <div>
          <h3>{title}</h3>
          <p>{text}</p>
        </div>
      </li>
    ))}
  </ul>
)
