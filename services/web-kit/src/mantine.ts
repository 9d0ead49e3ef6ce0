/**
 * What `@mantine/core` is in a remote: the build preset sends the import here, and the Shell's copy is used. Mantine
 * whole would be half of the Shell's first load, so this names what the platform uses. A remote that needs one more adds
 * it here, and its styles to styles.css; a build that wants a name from here that is missing fails and says so.
 */
// prettier-ignore
export {
  Accordion, ActionIcon, Alert, Anchor, AppShell, Autocomplete, Avatar, Badge, Box, Breadcrumbs, Burger, Button, Card, Center, Checkbox, Chip, CloseButton, Code, Collapse, Combobox, Container,
  CopyButton, Divider, Drawer, Fieldset, FileButton, Flex, Grid, Group, Highlight, Image, Indicator, Input, Kbd, List, Loader, LoadingOverlay, Mark, Menu, Modal, MultiSelect, NavLink, NumberInput, Overlay,
  Pagination, Paper, PasswordInput, Pill, PillsInput, Popover, Portal, Progress, Radio, RingProgress, ScrollArea, SegmentedControl, Select, SimpleGrid, Skeleton, Space, Stack, Stepper, Switch, Table, Tabs, TagsInput,
  Text, TextInput, Textarea, ThemeIcon, Timeline, Title, Tooltip, Transition, Typography, UnstyledButton, VisuallyHidden,
} from '@mantine/core';
// What components of one's own, and Mantine's extension packages, are made with.
export {
  createSafeContext, createVarsResolver, factory, getDefaultZIndex, getFontSize, getRadius, getSize, getSpacing, getThemeColor, isElement, OptionalPortal, parseThemeColor, polymorphicFactory, rem,
  useCombobox, useComputedColorScheme, useMantineColorScheme, useMantineTheme, useProps, useResolvedStylesApi, useStyles,
} from '@mantine/core';
