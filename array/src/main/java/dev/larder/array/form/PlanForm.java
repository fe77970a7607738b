package dev.larder.array.form;

import dev.larder.array.plan.Goal;
import dev.larder.array.plan.Obstacle;
import dev.larder.array.plan.Plan;
import dev.larder.array.plan.PlanSummary;
import dev.larder.array.plan.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.jr.ob.JSON;

/** Writes a plan as JSON, and as lines for people. */
public final class PlanForm {

    private static final int VERSION = 1;

    private PlanForm() {}

    /**
     * Returns a plan in JSON, as {@code docs/formats/array.md} describes it.
     *
     * @param bytesAStripe how many bytes a stripe has on a node
     */
    public static String json(Plan plan, long bytesAStripe) {
        Map<String, Object> fields = fields(plan);
        fields.put("copiedBytes", PlanSummary.of(plan, bytesAStripe).copiedBytes());
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(fields);
    }

    /** Returns a plan in JSON, for an unknown number of bytes in a stripe. */
    public static String json(Plan plan) {
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(fields(plan));
    }

    private static Map<String, Object> fields(Plan plan) {
        PlanSummary summary = PlanSummary.of(plan, 0);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", VERSION);
        fields.put("zoneLimit", plan.target().zoneLimit());
        fields.put("copies", summary.copies());
        fields.put("transfers", summary.transfers());
        fields.put("goals", plan.target().goals().stream().map(PlanForm::fields).toList());
        fields.put("steps", plan.steps().stream().map(PlanForm::fields).toList());
        fields.put("obstacles", plan.obstacles().stream().map(PlanForm::fields).toList());
        return fields;
    }

    private static Map<String, Object> fields(Goal goal) {
        Map<String, Object> roles = new LinkedHashMap<>();
        goal.roles().forEach((node, role) -> roles.put(Integer.toString(node), JsonFields.name(role)));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("stripe", goal.stripe());
        fields.put("roles", roles);
        fields.put("leader", goal.leader());
        return fields;
    }

    private static Map<String, Object> fields(Step step) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("stripe", step.stripe());
        fields.put("kind", JsonFields.name(step.kind()));
        fields.put("member", step.member().toString());
        fields.put("role", JsonFields.name(step.role()));
        fields.put("epoch", step.epoch());
        return fields;
    }

    private static Map<String, Object> fields(Obstacle obstacle) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("stripe", obstacle.stripe());
        fields.put("reason", obstacle.reason());
        return fields;
    }

    /** Returns a plan in lines: its steps, its obstacles, and its costs. */
    public static List<String> lines(Plan plan, long bytesAStripe) {
        List<String> lines = steps(plan);
        PlanSummary summary = PlanSummary.of(plan, bytesAStripe);
        lines.add(summary.copies() + " members copy " + summary.copiedBytes() + " bytes; " + summary.transfers()
                + " leaders change");
        if (plan.target().zoneLimit() > 1) {
            lines.add(
                    "there are too few zones: a zone may have " + plan.target().zoneLimit() + " members of a stripe");
        }
        Map<Integer, Integer> members = new TreeMap<>(summary.members());
        members.forEach((node, count) -> lines.add("node " + node + ": " + count + " members, "
                + summary.leaders().getOrDefault(node, 0) + " leaders, copies "
                + summary.copiedByNode().getOrDefault(node, 0L) + " bytes"));
        return lines;
    }

    /** Returns a plan in lines, for an unknown number of bytes in a stripe. */
    public static List<String> lines(Plan plan) {
        List<String> lines = steps(plan);
        PlanSummary summary = PlanSummary.of(plan, 0);
        lines.add(summary.copies() + " members copy their stripe; " + summary.transfers() + " leaders change");
        return lines;
    }

    private static List<String> steps(Plan plan) {
        List<String> lines = new ArrayList<>();
        plan.steps().forEach(step -> lines.add(step.toString()));
        plan.obstacles().forEach(obstacle -> lines.add("stripe " + obstacle.stripe() + " stays: " + obstacle.reason()));
        return lines;
    }
}
