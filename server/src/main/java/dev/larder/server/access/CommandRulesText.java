package dev.larder.server.access;

import dev.larder.resp.Command;
import dev.larder.resp.CommandCategory;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A short text of rules that allow the same commands. It begins with all or none, continues with the categories that fit best,
 * and ends with the single commands that are still missing.
 */
final class CommandRulesText {

    private final CommandRules wanted;
    private final CommandRules said = new CommandRules();
    private final CommandRules open;
    private final boolean adds;
    private final StringBuilder text = new StringBuilder();

    private CommandRulesText(CommandRules wanted) {
        this.wanted = wanted;
        this.open = wanted.copy();
        this.adds = !wanted.allowsLater();
    }

    static String of(CommandRules rules) {
        CommandRulesText text = new CommandRulesText(rules);
        text.sayAll();
        text.sayCategories();
        text.saySingles();
        return text.text.toString().trim();
    }

    private void sayAll() {
        said.setAll(!adds);
        text.append(adds ? "-@all " : "+@all ");
    }

    private void sayCategories() {
        Set<CommandCategory> left = EnumSet.allOf(CommandCategory.class);
        for (CommandCategory best = best(left); best != null; best = best(left)) {
            left.remove(best);
            said.set(best, adds);
            open.set(best, !adds);
            text.append(adds ? "+@" : "-@").append(best.text()).append(' ');
        }
    }

    /** Returns the category that gets more of the remaining commands right than wrong; null if there is none. */
    private @Nullable CommandCategory best(Set<CommandCategory> left) {
        CommandCategory best = null;
        int fewestWrong = Integer.MAX_VALUE;
        int mostRight = 0;
        for (CommandCategory category : left) {
            int allowed = count(category, true);
            int denied = count(category, false);
            int right = adds ? allowed : denied;
            int wrong = adds ? denied : allowed;
            boolean better = wrong < fewestWrong || (wrong == fewestWrong && right > mostRight);
            if (right > wrong && better) {
                best = category;
                fewestWrong = wrong;
                mostRight = right;
            }
        }
        return best;
    }

    private int count(CommandCategory category, boolean allowed) {
        return (int) CommandIndex.all().stream()
                .filter(command -> command.categories().contains(category) && open.allows(command) == allowed)
                .count();
    }

    private void saySingles() {
        for (Command command : CommandIndex.all()) {
            boolean allow = wanted.allows(command);
            if (allow != said.allows(command)) {
                text.append(allow ? '+' : '-').append(command.name()).append(' ');
                said.set(command, allow);
            }
            if (!allow) {
                wanted.firstArguments(command)
                        .forEach(argument -> text.append('+')
                                .append(command.name())
                                .append('|')
                                .append(argument)
                                .append(' '));
            }
        }
    }
}
