/** Icons are imported one by one: the barrel of the package costs seconds in every build. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { ComponentType } from 'react';
  const Icon: ComponentType<{ size?: number | string; stroke?: number; color?: string; className?: string; 'aria-hidden'?: boolean }>;
  export default Icon;
}
