import { ThemeIcon } from '@mantine/core';
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs';
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs';
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs';
import IconCheckbox from '@tabler/icons-react/dist/esm/icons/IconCheckbox.mjs';
import IconClipboardData from '@tabler/icons-react/dist/esm/icons/IconClipboardData.mjs';
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs';
import IconMessageChatbot from '@tabler/icons-react/dist/esm/icons/IconMessageChatbot.mjs';
import IconRocket from '@tabler/icons-react/dist/esm/icons/IconRocket.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';

/** Names that an app may use in `icon`; anything else shows the first letter of its name. */
const ICONS: Readonly<Record<string, typeof IconFolder>> = {
  folder: IconFolder, 'folder-open': IconFolder, drive: IconFolder, file: IconFileText, 'file-text': IconFileText, document: IconFileText, report: IconClipboardData, clipboard: IconClipboardData,
  chart: IconChartBar, 'chart-bar': IconChartBar, chat: IconMessageChatbot, bot: IconMessageChatbot, calendar: IconCalendar, mail: IconMail, users: IconUsers, people: IconUsers, rocket: IconRocket, apps: IconApps, check: IconCheckbox,
};
const COLORS = ['indigo', 'teal', 'grape', 'orange', 'cyan', 'pink', 'green', 'violet'];

/** An app's icon; always in the same colour for the same app. */
export function AppIcon({ app, size = 44 }: { readonly app: { readonly slug: string; readonly name: string; readonly icon: string | null }; readonly size?: number }) {
  const Icon = app.icon === null ? undefined : ICONS[app.icon];
  const color = COLORS[[...app.slug].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % COLORS.length] ?? 'indigo';
  return <ThemeIcon size={size} radius="md" variant="light" color={color} aria-hidden fz={size * 0.45} fw={700}>{Icon ? <Icon size={size * 0.55} stroke={1.6} /> : app.name.charAt(0).toUpperCase()}</ThemeIcon>;
}
